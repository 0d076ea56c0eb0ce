/** Runs the tasks of federation. */
import { federationTaskJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(federationTaskJob, tasks.run)
