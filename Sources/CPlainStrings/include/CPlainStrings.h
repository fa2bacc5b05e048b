/* Nothing to call: see strings.c. */
