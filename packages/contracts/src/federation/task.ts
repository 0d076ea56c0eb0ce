/** Operations about tasks of the federation service. */
import { tasksOf } from '../task.js'

export const federationTasks = tasksOf('federation')
export const {
  list: listFederationTasks,
  show: showFederationTask,
  stop: stopFederationTask,
  run: federationTaskJob,
  started: federationTaskStarted,
  stopped: federationTaskStopped,
} = federationTasks
