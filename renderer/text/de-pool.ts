/** Texts of machines that share one batch in German. */
import type { poolEn } from './en-pool.ts';

export const poolDe: { readonly [Key in keyof typeof poolEn]: string } = {
  pool: 'Verbund',
  poolText:
    'Mehrere Rechner teilen sich einen Stapel: Aufgaben dieses Rechners laufen auf denen, die helfen. Ohne Adresse gibt es keinen Verbund.',
  poolAddress: 'Adresse der Warteschlange',
  poolAddressHint: 'Valkey oder Redis, etwa redis://:Passwort@nas:6379.',
  poolStorage: 'Ablage',
  poolStorageHint:
    'Ein Ordner, den alle Rechner sehen, oder s3://bucket/prefix. Wer dort lesen darf, sieht die Bilder unterwegs.',
  poolKey: 'Schlüssel',
  poolKeyHint:
    'Verschlüsselt Bilder unterwegs. Alle Rechner brauchen denselben; leer: nicht verschlüsselt.',
  poolSave: 'Diesen Verbund nutzen',
  poolMakeKey: 'Neuer Schlüssel',
  poolSubmit: 'Andere dürfen Aufgaben dieses Rechners ausführen',
  poolHelp: 'Dieser Rechner hilft mit',
  poolOff: 'Es gibt keinen Verbund.',
  poolConnecting: 'Verbindung wird aufgebaut.',
  poolConnected: 'Verbunden.',
  poolUnreachable: 'Der Verbund ist nicht da; Aufgaben laufen auf diesem Rechner.',
  poolTogether: 'Verbunden. Zusammen {{times}}-mal so schnell wie dieser Rechner allein.',
  poolNobody: 'Noch hilft niemand. Auf einem anderen Rechner: enlarger join',
  poolSpeed: '{{model}} {{speed}} MP/s',
  helper: 'Rechner',
  helperThis: '{{name}} (dieser)',
  helperState: 'Zustand',
  helperDoing: 'Tut',
  helperSpeed: 'Tempo',
  helperDone: 'Fertig',
  helperIdle: 'frei',
  helperWorking: 'arbeitet',
  helperBusy: 'mit Eigenem beschäftigt',
  helperAway: 'nicht da',
  helperAside: 'ausgesetzt',
  detailRanOn: 'Lief auf',
};
