/** Texts of connecting other programs, and machines that share one batch, in French. */
import type { TranslatedPart } from '../../catalogue.ts';
import type { connectEn } from '../en/connect.ts';

export const connectFr: TranslatedPart<typeof connectEn, 'one' | 'other'> = {
  examples: 'Exemples',
  access: 'Accès',
  compat: 'Autres services',
  requests: 'Requêtes',
  newKey: 'Nouvelle clé',
  keyNameHead: 'Programme',
  keyMade: 'Création',
  keyUsed: 'Dernier usage',
  keyLocalCallbacks:
    'Enlarger peut l’avertir quand des photos sont prêtes, aussi sur cet ordinateur et son réseau',
  keep: 'Garder',
  revokeForGood: 'Révoquer définitivement',
  revokeKey: 'Révoquer {{name}}',
  copyByHand: 'Le navigateur n’a pas permis la copie. Sélectionnez le texte et copiez-le.',
  exampleWithKey:
    'Avec la clé qui vient d’être créée. Chacun fait photo-2x.jpg à partir de photo.jpg.',
  exampleWithoutKey:
    'Créez d’abord une clé et mettez-la à la place de YOUR_KEY. Chacun fait photo-2x.jpg à partir de photo.jpg.',
  origins: 'Pages web',
  originsHint: 'Les pages de ces origines peuvent appeler le service avec une clé.',
  noOrigins: 'Aucune page web n’a accès.',
  originLabel: 'Origine d’une page web',
  notAnOrigin: 'Une origine est un schéma, un hôte et parfois un port, comme https://example.org.',
  folders: 'Dossiers',
  foldersHint:
    'Les fichiers de ces dossiers peuvent être lus, et les résultats y être enregistrés.',
  noFolders: 'Aucun dossier n’est autorisé.',
  folderLabel: 'Chemin d’un dossier',
  folderExample: '/home/me/Images',
  removeItem: 'Retirer {{item}}',
  add: 'Ajouter',
  compatText:
    'Les programmes conçus pour remove.bg, rembg, les images d’OpenAI ou AUTOMATIC1111 fonctionnent avec Enlarger : donnez-leur l’adresse ci-dessous et une clé d’Enlarger.',
  compatDocumentation: 'Ce que chacun peut faire, et ce qu’il faut y changer',
  compatOn: 'Accepter les programmes prévus pour d’autres services',
  compatAddress: 'Adresse pour les autres services',
  compatPort: 'Port',
  compatKeyless: 'Sans clé',
  compatWithKey: 'Chaque requête demande une clé, comme le veut chacun de ces services.',
  compatWithoutKey:
    'Tout programme de cet ordinateur peut utiliser ce port. Les pages web, toujours pas.',
  callbacks: 'Rappels',
  callbacksText:
    'Une requête peut indiquer une callbackUrl, qu’Enlarger appelle à la fin de la tâche. Avec ce secret, un programme vérifie que l’appel vient d’Enlarger.',
  secret: 'Secret des rappels',
  secretShow: 'Afficher le secret',
  secretRenew: 'Créer un nouveau secret',
  secretKeep: 'Le garder',
  secretWarning:
    'Les programmes qui connaissent celui-ci n’acceptent plus de rappels avant de connaître le nouveau.',
  editors: 'Logiciels photo',
  editorsText:
    'Votre éditeur confie une photo à Enlarger et reçoit le résultat à sa place, avec sa profondeur, son profil de couleurs et ses métadonnées.',
  lightroomText:
    'Un préréglage dans Photo, Modifier dans : agrandit une copie au double, en TIFF 16 bits ProPhoto RVB.',
  darktableText:
    'Une cible de son export : le résultat se trouve à côté de la photo et groupé avec elle.',
  installEditor: 'Installer pour {{name}}',
  editorCommand: 'Commande pour {{name}}',
  editorInstalled: 'Redémarrez-le. Fichier créé : {{path}}',
  otherEditors:
    'Capture One, digiKam, GIMP et d’autres lancent la commande enlarger edit-in avec le fichier.',
  requestsHint: 'Les 200 dernières, les plus récentes d’abord. Sans adresses d’images ni contenus.',
  noRequests: 'Aucun autre programme n’a encore rien demandé.',
  requestAt: 'Heure',
  requestWhat: 'Requête',
  requestAnswer: 'Réponse',
  requestTook: 'Durée',
  requestKey: 'Clé',
  keyCommandLine: 'Ligne de commande (cli.key)',
  requestFailed: 'échec',
  pool: 'Partager le travail entre ordinateurs',
  poolText:
    'Plusieurs ordinateurs traitent vos photos ensemble. Il leur faut un serveur qui répartit le travail et un dossier accessible à tous. Rien n’est partagé avant que vous saisissiez un serveur et appuyiez sur « Utiliser ce serveur » ; dès lors, d’autres ordinateurs peuvent traiter vos photos.',
  poolAddress: 'Serveur qui répartit le travail',
  poolAddressHint:
    'L’adresse d’un serveur Valkey ou Redis (logiciels libres, par exemple sur un NAS) : redis://:password@nas:6379.',
  poolStorage: 'Dossier partagé',
  poolStorageHint:
    'Les photos et les résultats y passent : un dossier du réseau que voient tous les ordinateurs, ou un stockage S3 (s3://bucket/prefix). Qui peut le lire peut voir les images en transit.',
  poolKey: 'Clé',
  poolKeyHint:
    'Chiffre les images en transit. Tous les ordinateurs ont besoin de la même ; vide : pas de chiffrement.',
  poolSave: 'Utiliser ce serveur',
  poolShow: 'Afficher la clé et le mot de passe',
  poolMakeKey: 'Nouvelle clé',
  poolSubmit: 'Laisser d’autres ordinateurs traiter mes photos',
  poolHelp: 'Laisser cet ordinateur aider',
  poolOff: 'Rien n’est partagé.',
  poolConnecting: 'Connexion en cours.',
  poolConnected: 'Connecté.',
  poolUnreachable: 'Le serveur est injoignable ; les photos sont traitées sur cet ordinateur.',
  poolTogether: 'Connecté. Ensemble, {{times}} fois plus rapides que cet ordinateur seul.',
  poolNobody: 'Personne n’aide encore. Sur un autre ordinateur : enlarger join',
  poolSpeed: '{{model}} {{speed}} MP/s',
  helper: 'Ordinateur',
  helperThis: '{{name}} (celui-ci)',
  helperState: 'État',
  helperDoing: 'En cours',
  helperSpeed: 'Vitesse',
  helperDone: 'Terminées',
  helperIdle: 'libre',
  helperWorking: 'au travail',
  helperBusy: 'occupé par ailleurs',
  helperAway: 'absent',
  helperAside: 'mis de côté',
  detailRanOn: 'Traitée sur',
};
