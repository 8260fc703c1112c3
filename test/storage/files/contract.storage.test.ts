import { fileMedium } from '../../helpers/file-processes.ts'
import { storageContract } from '../core/storage.contract.ts'

storageContract('files, --data FILE', { isShared: false, names: ['default'] }, () => fileMedium('file'))
storageContract(
  'files, --data FOLDER/',
  {
    isShared: false,
    names: ['acme', 'default', 'Z_-9', ...Array.from({ length: 40 }, (_, at) => `many-${at}`)],
  },
  () => fileMedium('folder'),
)
