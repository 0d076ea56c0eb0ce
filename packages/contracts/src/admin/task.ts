/** Operations about tasks of the admin service. */
import { tasksOf } from '../task.js'

export const adminTasks = tasksOf('admin')
export const {
  list: listAdminTasks,
  show: showAdminTask,
  stop: stopAdminTask,
  run: adminTaskJob,
  started: adminTaskStarted,
  stopped: adminTaskStopped,
} = adminTasks
