/** Changes of logins for other modules. */
export { changeUser } from './change.js'
