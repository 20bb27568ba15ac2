"""The parts of Scripts/check-plugs."""
