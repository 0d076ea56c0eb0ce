/** Job that runs the tasks of the service media: long work that staff started. */
import { mediaTaskJob } from '@murmuration/contracts/media'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(mediaTaskJob, tasks.run)
