/** The exports of this module for other modules. */
export { MOST_REMOTE_PINS, setRemotePins } from './remote.js'
