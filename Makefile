# The front door. SwiftPM builds Swift; make does what SwiftPM does not know.
.PHONY: check
check:
	swift test
