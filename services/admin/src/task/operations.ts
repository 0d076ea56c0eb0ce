/** Handlers of the tasks of admin. */
import { adminTaskList, adminTaskShow, adminTaskStop } from '@murmuration/contracts/admin'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(adminTaskList, tasks.list)
export const show = handle(adminTaskShow, tasks.show)
export const stop = handle(adminTaskStop, tasks.stop)
