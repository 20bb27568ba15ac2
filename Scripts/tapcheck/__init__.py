"""The parts of Scripts/check-taps."""
