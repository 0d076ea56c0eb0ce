/** Handlers of the tasks of media. */
import { listMediaTasks, showMediaTask, stopMediaTask } from '@murmuration/contracts/media'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(listMediaTasks, tasks.list)
export const show = handle(showMediaTask, tasks.show)
export const stop = handle(stopMediaTask, tasks.stop)
