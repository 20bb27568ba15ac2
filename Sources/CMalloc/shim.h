// The part of glibc that Swift's Glibc module leaves out.
#include <malloc.h>
