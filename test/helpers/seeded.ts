import fc from 'fast-check'

// A property that fails must fail again: every run draws the same values. Try others with another seed by hand.
fc.configureGlobal({ seed: 20_261_121 })
