/** Handlers of the tasks of admin. */
import { listAdminTasks, showAdminTask, stopAdminTask } from '@murmuration/contracts/admin'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(listAdminTasks, tasks.list)
export const show = handle(showAdminTask, tasks.show)
export const stop = handle(stopAdminTask, tasks.stop)
