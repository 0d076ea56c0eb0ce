/** Handlers of the tasks of accounts. */
import { accountTaskList, accountTaskShow, accountTaskStop } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(accountTaskList, tasks.list)
export const show = handle(accountTaskShow, tasks.show)
export const stop = handle(accountTaskStop, tasks.stop)
