import { describeDays } from './reference-days.ts'

describeDays('over HTTP')
