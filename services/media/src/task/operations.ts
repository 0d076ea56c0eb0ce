/** Handlers of the tasks of media. */
import { mediaTaskList, mediaTaskShow, mediaTaskStop } from '@murmuration/contracts/media'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(mediaTaskList, tasks.list)
export const show = handle(mediaTaskShow, tasks.show)
export const stop = handle(mediaTaskStop, tasks.stop)
