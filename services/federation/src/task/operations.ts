/** Handlers of the tasks of federation. */
import { listFederationTasks, showFederationTask, stopFederationTask } from '@murmuration/contracts/federation'
import { handle } from '../handlers.js'
import { tasks } from './kinds.js'

export const list = handle(listFederationTasks, tasks.list)
export const show = handle(showFederationTask, tasks.show)
export const stop = handle(stopFederationTask, tasks.stop)
