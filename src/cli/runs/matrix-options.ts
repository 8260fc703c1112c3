// The options of the library that count for `matrix`: each run has a state of its own, so none is kept in a file or a store.
import { libraryNames } from '../../options/index.ts'

export const matrixOptions = libraryNames.filter(
  (name) => !['data', 'durability', 'recover', 'store', 'storePrefix'].includes(name),
)
