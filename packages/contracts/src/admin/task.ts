/** Operations about tasks of the admin service. */
import { tasksOf } from '../task.js'

export const adminTasks = tasksOf('admin')
export const {
  list: adminTaskList,
  show: adminTaskShow,
  stop: adminTaskStop,
  run: adminTaskJob,
  started: adminTaskStarted,
  stopped: adminTaskStopped,
} = adminTasks
