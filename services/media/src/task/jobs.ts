/** Job that runs the tasks of media. */
import { mediaTaskJob } from '@murmuration/contracts/media'
import { work } from '../handlers.js'
import { tasks } from './kinds.js'

export const run = work(mediaTaskJob, tasks.run)
