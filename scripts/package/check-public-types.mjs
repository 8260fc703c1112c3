// Checks the public types of a package folder (default: this one); see public-types.mjs.
import { join, resolve } from 'node:path'
import { publicTypeDefects } from './public-types.mjs'

const defects = publicTypeDefects(resolve(process.argv[2] ?? join(import.meta.dirname, '../..')))
for (const defect of defects) console.error(defect)
if (defects.length > 0) process.exitCode = 1
