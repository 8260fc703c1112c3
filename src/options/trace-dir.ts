// Where test kits write the traces of failed tests, unless an option or SANDBOX_TRACE_DIR names another folder.

/** Relative to the working directory. */
export const defaultTraceDir = 'partner-rewards-traces'
