/** The desktop application. One at a time: a second start only brings the first to the front. */
import { app } from 'electron';
import { reportFailure, runApplication } from './desktop/application.ts';

if (app.requestSingleInstanceLock()) runApplication(import.meta.url).catch(reportFailure);
else app.quit();
