/** The exports of this module for other modules. */
export { pictureAddress } from './view.js'
