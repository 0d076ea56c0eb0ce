/** Job that runs the tasks of the service accounts: long work that staff started. */
import { accountTaskJob } from '@murmuration/contracts/accounts'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(accountTaskJob, tasks.run)
