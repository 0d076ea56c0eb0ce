/** Handlers of the tasks of federation. */
import { federationTaskList, federationTaskShow, federationTaskStop } from '@murmuration/contracts/federation'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(federationTaskList, tasks.list)
export const show = handle(federationTaskShow, tasks.show)
export const stop = handle(federationTaskStop, tasks.stop)
