/** Texts of connecting other programs in German. */
import type { connectEn } from './en-connect.ts';

export const connectDe: { readonly [Key in keyof typeof connectEn]: string } = {
  examples: 'Beispiele',
  access: 'Zugriff',
  compat: 'Andere Dienste',
  requests: 'Anfragen',
  newKey: 'Neuer Schlüssel',
  keyNameHead: 'Programm',
  keyMade: 'Angelegt',
  keyUsed: 'Zuletzt benutzt',
  keep: 'Behalten',
  revokeForGood: 'Endgültig widerrufen',
  revokeKey: '{{name}} widerrufen',
  copyByHand: 'Der Browser hat das Kopieren nicht erlaubt. Markieren und kopieren Sie den Text.',
  exampleWithKey:
    'Mit dem eben angelegten Schlüssel. Jedes macht aus photo.jpg die doppelt so große photo-2x.jpg.',
  exampleWithoutKey:
    'Legen Sie zuerst einen Schlüssel an und setzen Sie ihn für YOUR_KEY ein. Jedes macht aus photo.jpg die doppelt so große photo-2x.jpg.',
  origins: 'Webseiten',
  originsHint: 'Seiten dieser Herkunft dürfen den Dienst mit einem Schlüssel aufrufen.',
  noOrigins: 'Keine Webseite darf es.',
  originLabel: 'Herkunft einer Webseite',
  notAnOrigin: 'Eine Herkunft ist Schema, Rechner und vielleicht Port, etwa https://example.org.',
  folders: 'Ordner',
  foldersHint: 'Dateien in diesen Ordnern dürfen gelesen und Ergebnisse dort gesichert werden.',
  noFolders: 'Kein Ordner ist freigegeben.',
  folderLabel: 'Pfad eines Ordners',
  folderExample: '/home/ich/Bilder',
  removeItem: '{{item}} entfernen',
  add: 'Hinzufügen',
  compatText:
    'Programme, die für remove.bg, rembg, die Bilder von OpenAI oder AUTOMATIC1111 geschrieben sind, arbeiten mit Enlarger: Geben Sie ihnen die Adresse unten und einen Schlüssel von Enlarger.',
  compatDocumentation: 'Was jeder Dienst kann und was im Programm zu ändern ist',
  compatOn: 'Programmen anderer Dienste antworten',
  compatAddress: 'Adresse für andere Dienste',
  compatPort: 'Port',
  compatKeyless: 'Ohne Schlüssel',
  compatWithKey: 'Jede Anfrage braucht einen Schlüssel, so wie der jeweilige Dienst ihn nimmt.',
  compatWithoutKey:
    'Jedes Programm auf diesem Rechner darf auf diesem Port Bilder machen lassen. Webseiten dürfen es weiterhin nicht.',
  callbacks: 'Rückrufe',
  callbacksText:
    'Ein Auftrag kann eine callbackUrl nennen, der sein Ende gesagt wird. An diesem Geheimnis ist zu erkennen, dass es Enlarger war.',
  secret: 'Geheimnis der Rückrufe',
  secretShow: 'Geheimnis zeigen',
  secretRenew: 'Neues Geheimnis',
  secretKeep: 'Behalten',
  secretWarning: 'Programme, die dieses kennen, nehmen keine Rückrufe an, bis sie das neue kennen.',
  editors: 'Fotoprogramme',
  editorsText:
    'Sie geben ein Foto an Enlarger und nehmen zurück, was an seiner Stelle liegt, mit Tiefe, Profil und Metadaten.',
  lightroomText:
    'Eine Vorgabe unter Foto, Bearbeiten in: Eine Kopie als TIFF mit 16 Bit in ProPhoto RGB wird doppelt so groß.',
  darktableText:
    'Ein Ziel seines Exports: Das Ergebnis steht neben dem Foto und ist mit ihm gruppiert.',
  installEditor: 'Für {{name}} einrichten',
  editorCommand: 'Befehl für {{name}}',
  editorInstalled: 'Starten Sie es neu. Geschrieben: {{path}}',
  otherEditors:
    'Capture One, digiKam, GIMP und andere rufen den Befehl enlarger edit-in mit der Datei auf.',
  requestsHint: 'Die letzten 200, die neuesten zuerst. Ohne Adressen von Bildern und Inhalte.',
  noRequests: 'Noch hat kein anderes Programm etwas gefragt.',
  requestAt: 'Zeit',
  requestWhat: 'Anfrage',
  requestAnswer: 'Antwort',
  requestTook: 'Dauer',
  requestKey: 'Schlüssel',
  requestFailed: 'gescheitert',
};
