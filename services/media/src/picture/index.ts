/** The exports of this module for other modules. */
export { pictureAddress, stillAddress } from './view.js'
