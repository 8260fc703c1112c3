// The library options that apply to `matrix`: each run has its own state, which is never persisted.
import { libraryNames } from '../../options/index.ts'

export const matrixOptions = libraryNames.filter((name) => !['data', 'store', 'storePrefix'].includes(name))
