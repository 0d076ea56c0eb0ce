/** Operations about tasks of the media service. */
import { tasksOf } from '../task.js'

export const mediaTasks = tasksOf('media')
export const {
  list: listMediaTasks,
  show: showMediaTask,
  stop: stopMediaTask,
  run: mediaTaskJob,
  started: mediaTaskStarted,
  stopped: mediaTaskStopped,
} = mediaTasks
