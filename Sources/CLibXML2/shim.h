#include <libxml/xmlversion.h>
/* libxml2 can use ICU, and then its header for encodings includes ICU's. Swift's Foundation has an ICU of its own: two
   definitions of one type in two modules are an error. Nothing here uses what these headers declare with it: members at the
   end of a struct that is only ever seen through a pointer. */
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/HTMLparser.h>
