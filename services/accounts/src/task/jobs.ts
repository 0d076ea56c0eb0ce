/** Job that runs the tasks of accounts. */
import { accountTaskJob } from '@murmuration/contracts/accounts'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(accountTaskJob, tasks.run)
