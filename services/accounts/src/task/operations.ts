/** Handlers of the tasks of accounts. */
import { listAccountTasks, showAccountTask, stopAccountTask } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(listAccountTasks, tasks.list)
export const show = handle(showAccountTask, tasks.show)
export const stop = handle(stopAccountTask, tasks.stop)
