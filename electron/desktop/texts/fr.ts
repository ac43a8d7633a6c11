/** Texts of the window's menus, the tray, notifications and dialogs in French. */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('fr');

export const fr: Text = {
  file: 'Fichier',
  edit: 'Édition',
  view: 'Affichage',
  help: 'Aide',
  undo: 'Annuler',
  redo: 'Rétablir',
  cut: 'Couper',
  copy: 'Copier',
  paste: 'Coller',
  selectAll: 'Tout sélectionner',
  closeWindow: 'Fermer la fenêtre',
  zoomIn: 'Zoom avant',
  zoomOut: 'Zoom arrière',
  resetZoom: 'Taille réelle',
  fullScreen: 'Plein écran',
  devTools: 'Outils de développement',
  about: 'À propos d’Enlarger',
  addFiles: 'Ajouter des photos…',
  addFolder: 'Ajouter un dossier…',
  recentFolders: 'Dossiers récents',
  clearRecent: 'Effacer',
  start: 'Lancer',
  pause: 'Suspendre la file',
  resume: 'Reprendre la file',
  whenDone: 'Quand la file est terminée',
  endings: { nothing: 'Ne rien faire', quit: 'Quitter Enlarger', sleep: 'Mettre en veille' },
  staysInTray: 'Continuer quand la fenêtre est fermée',
  notifies: 'Prévenir à la fin',
  removeSelected: 'Retirer la sélection',
  undoRemoval: 'Annuler le retrait',
  retryFailed: 'Relancer les échecs',
  removeFinished: 'Retirer les terminées',
  settings: 'Réglages…',
  models: 'Modèles…',
  watch: 'Dossiers surveillés…',
  connect: 'Connecter des programmes…',
  apiDocs: 'Documentation de l’API',
  shortcuts: 'Raccourcis clavier',
  show: 'Afficher Enlarger',
  quit: 'Quitter Enlarger',
  idle: 'Rien à faire',
  watching: (folders) =>
    counted(folders, {
      one: `${folders} dossier surveillé`,
      other: `${folders} dossiers surveillés`,
    }),
  paused: (waiting) => `En pause, ${waiting} en attente`,
  working: (ended, all, percent) => `${ended} sur ${all} terminées, ${percent} %`,
  batchTitle: (failed) => (failed === 0 ? 'Les photos sont prêtes' : 'Terminé, avec des échecs'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `${finished} photo terminée`,
            other: `${finished} photos terminées`,
          })
        : '',
      failed > 0 ? `${failed} en échec` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger continue. Sa fenêtre se trouve derrière son icône dans la barre.',
  endingSoon: {
    quit: (seconds) => `Enlarger quitte dans ${seconds} secondes.`,
    sleep: (seconds) => `Cet ordinateur se met en veille dans ${seconds} secondes.`,
  },
  updates: 'Rechercher des mises à jour',
  betas: 'Inclure les versions bêta',
  mayUpdate: 'Enlarger peut-il rechercher des mises à jour ?',
  mayUpdateDetail:
    'Il demande une fois par jour à GitHub s’il y a de nouvelles versions et n’envoie rien sur vous ni vos photos. Rien d’autre dans Enlarger ne va en ligne de lui-même. Vous pouvez le changer dans le menu Aide.',
  allow: 'Rechercher des mises à jour',
  deny: 'Jamais',
  updateReady: (version) => `Enlarger ${version} est prêt.`,
  restart: 'Redémarrer maintenant',
  later: 'En quittant',
  now: 'Maintenant',
  cancel: 'Annuler',
  crashed: 'La fenêtre s’était arrêtée et a été rouverte.',
  crashedAgain: 'La fenêtre s’est arrêtée plusieurs fois en une minute.',
  queueGoesOn: 'La file continue : aucune tâche n’est perdue.',
  unresponsive: 'La fenêtre ne répond pas.',
  reload: 'Recharger',
  wait: 'Attendre',
};
