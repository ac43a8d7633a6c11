/** Texts of a day's work in German: what is done, saved and kept, versions, marks and the language. */
import type { dayEn } from './en-day.ts';

export const dayDe: { readonly [Key in keyof typeof dayEn]: string } = {
  language: 'Sprache',
  languageSystem: 'Wie das System',
  awayTitle: 'Der Dienst antwortet nicht',
  awayText:
    'Starten Sie Enlarger wieder: Diese Seite macht von selbst weiter, wo sie kann. Fragt sie nach einem Link, steht er als pageUrl im Terminal, in dem der Dienst gestartet wurde.',
  awayWindow: 'Er wird jede Sekunde wieder gesucht; nichts geht verloren.',
  waitsTitle: 'Die Warteschlange wartet',
  waitsText:
    'Das Rechenwerk startet nicht. Kein Foto ist schuld, und alle bleiben in der Warteschlange; es wird von selbst wieder versucht.',
  noticeDatabase: 'Die Datenbank war beschädigt',
  noticeDatabaseText:
    'Sie wurde beiseitegelegt und eine neue begonnen, mit allem, was lesbar war. Die Ergebnisse sind alle da; prüfen Sie, ob Schlüssel, Einstellungen und wartende Fotos vollständig sind.',
  noticeAdopted: 'Ergebnisse wurden wiedergefunden',
  noticeAdoptedText: 'Die Datenbank kannte sie nicht mehr; sie stehen in der Liste.',
  rowAway: 'Nicht verbunden',
  standing: 'Es läuft nichts: {{counts}}.',
  standingDone_one: '{{count, number}} fertig',
  standingDone_other: '{{count, number}} fertig',
  standingFailed_one: '{{count, number}} fehlgeschlagen',
  standingFailed_other: '{{count, number}} fehlgeschlagen',
  standingReady_one: '{{count, number}} nicht gestartet',
  standingReady_other: '{{count, number}} nicht gestartet',
  standingImpossible_one: '{{count, number}} lässt sich nicht starten',
  standingImpossible_other: '{{count, number}} lassen sich nicht starten',
  info: 'Info',
  panelParts: 'Einstellungen oder Angaben',
  technical: 'Technische Angaben',
  deviceCpu: 'Prozessor',
  deviceGpu: 'Grafikkarte',
  secondsPerPhoto: 'Etwa {{duration}} für 12 Megapixel',
  instant: 'unter 0,1 s',
  presetFirst: 'Name der Vorgabe',
  presetMake: 'Diese Einstellungen als Vorgabe sichern',
  presetOfNew: 'Sie enthält: {{contents}}',
  removedLater: 'und {{more, number}} frühere',
};
