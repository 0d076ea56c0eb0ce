/** Validation problems of user names and e-mail addresses that are in use. */
import { problem } from '../problem.rules.js'

const TAKEN = 'has already been taken'

export const takenName = () => problem('username', 'ERR_TAKEN', TAKEN)

export const takenEmail = () => problem('email', 'ERR_TAKEN', TAKEN)
