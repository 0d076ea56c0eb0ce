/** Tick that resumes tasks of media after a pause, and tasks whose worker is lost. */
import { tick } from '../handlers.js'
import { tasks } from './kinds.js'

export const resume = tick('media.resume-tasks', 5_000, tasks.resume)
