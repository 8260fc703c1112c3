import { describeDriver, openSandbox } from '../driver.contract.ts'

describeDriver('memory', async () => ({ open: openSandbox, readable: (message) => message }))
