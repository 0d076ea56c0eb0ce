/** Operations about tasks of the accounts service. */
import { tasksOf } from '../task.js'

export const accountTasks = tasksOf('accounts')
export const {
  list: listAccountTasks,
  show: showAccountTask,
  stop: stopAccountTask,
  run: accountTaskJob,
  started: accountTaskStarted,
  stopped: accountTaskStopped,
} = accountTasks
