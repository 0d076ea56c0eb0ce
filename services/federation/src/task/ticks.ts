/** Resumes tasks of federation after a pause, and tasks whose worker is lost. */
import { tick } from '../handlers.js'
import { tasks } from './kinds.js'

export const resume = tick('federation.resume-tasks', 5_000, tasks.resume)
