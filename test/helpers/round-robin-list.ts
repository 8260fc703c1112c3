import fc from 'fast-check'

// Each call takes a dozen round trips here: a property draws as many values as two seconds give.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  interruptAfterTimeLimit: 2_000,
  markInterruptAsFailure: false,
})
