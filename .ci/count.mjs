// Prints `N passed, N failed` over the JSON results in a folder. A test that ran several times counts once, and as failed
// when one of its runs failed. A file that cannot be loaded has no tests to fail, so it counts as one failure.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , folder] = process.argv
const outcomes = new Map()
const note = (name, failed) => outcomes.set(name, failed || outcomes.get(name) === true)

for (const file of readdirSync(folder)) {
  for (const { name, status, assertionResults } of JSON.parse(readFileSync(join(folder, file), 'utf8'))
    .testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    for (const test of assertionResults.filter((each) => each.status === 'passed'))
      note(`${name} ${test.fullName}`, false)
    for (const test of failed) note(`${name} ${test.fullName}`, true)
    if (status === 'failed' && failed.length === 0) note(name, true)
  }
}

const count = [...outcomes.values()].filter(Boolean).length
console.log(`${outcomes.size - count} passed, ${count} failed`)
