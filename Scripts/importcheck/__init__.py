"""The parts of Scripts/check-import."""
