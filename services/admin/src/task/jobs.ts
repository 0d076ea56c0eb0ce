/** Runs the tasks of admin. */
import { adminTaskJob } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(adminTaskJob, tasks.run)
