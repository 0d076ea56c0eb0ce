/** Operations about tasks of the federation service. */
import { tasksOf } from '../task.js'

export const federationTasks = tasksOf('federation')
export const {
  list: federationTaskList,
  show: federationTaskShow,
  stop: federationTaskStop,
  run: federationTaskJob,
  started: federationTaskStarted,
  stopped: federationTaskStopped,
} = federationTasks
