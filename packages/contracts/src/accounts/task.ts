/** Operations about tasks of the accounts service. */
import { tasksOf } from '../task.js'

export const accountTasks = tasksOf('accounts')
export const {
  list: accountTaskList,
  show: accountTaskShow,
  stop: accountTaskStop,
  run: accountTaskJob,
  started: accountTaskStarted,
  stopped: accountTaskStopped,
} = accountTasks
