/** The exports of this module for other modules. */
export { MAX_REMOTE_PINS, setRemotePins } from './remote.js'
