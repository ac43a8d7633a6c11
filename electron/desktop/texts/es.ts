/** Texts of the window's menus, the tray, notifications and dialogs in Spanish. */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('es');

export const es: Text = {
  file: 'Archivo',
  edit: 'Edición',
  view: 'Ver',
  help: 'Ayuda',
  undo: 'Deshacer',
  redo: 'Rehacer',
  cut: 'Cortar',
  copy: 'Copiar',
  paste: 'Pegar',
  selectAll: 'Seleccionar todo',
  closeWindow: 'Cerrar ventana',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  resetZoom: 'Tamaño real',
  fullScreen: 'Pantalla completa',
  devTools: 'Herramientas de desarrollo',
  about: 'Acerca de Enlarger',
  addFiles: 'Añadir fotos…',
  addFolder: 'Añadir carpeta…',
  recentFolders: 'Carpetas recientes',
  clearRecent: 'Borrar',
  start: 'Iniciar',
  pause: 'Pausar la cola',
  resume: 'Reanudar la cola',
  whenDone: 'Cuando termine la cola',
  endings: { nothing: 'No hacer nada', quit: 'Salir de Enlarger', sleep: 'Suspender' },
  staysInTray: 'Seguir trabajando con la ventana cerrada',
  notifies: 'Avisar al terminar',
  removeSelected: 'Quitar la selección',
  undoRemoval: 'Deshacer la eliminación',
  retryFailed: 'Reintentar las fallidas',
  removeFinished: 'Quitar las completadas',
  settings: 'Ajustes…',
  models: 'Modelos…',
  watch: 'Carpetas vigiladas…',
  connect: 'Conectar programas…',
  apiDocs: 'Documentación de la API',
  shortcuts: 'Atajos de teclado',
  show: 'Mostrar Enlarger',
  quit: 'Salir de Enlarger',
  idle: 'Nada que hacer',
  watching: (folders) =>
    counted(folders, {
      one: `Se vigila ${folders} carpeta`,
      other: `Se vigilan ${folders} carpetas`,
    }),
  paused: (waiting) => `En pausa, ${waiting} en espera`,
  working: (ended, all, percent) => `${ended} de ${all} completadas, ${percent} %`,
  batchTitle: (failed) => (failed === 0 ? 'Las fotos están listas' : 'Terminado, con errores'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `${finished} foto completada`,
            other: `${finished} fotos completadas`,
          })
        : '',
      failed > 0 ? `${failed} con error` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger sigue trabajando. Su ventana está detrás de su icono en la bandeja.',
  endingSoon: {
    quit: (seconds) => `Enlarger se cerrará en ${seconds} segundos.`,
    sleep: (seconds) => `Este equipo se suspenderá en ${seconds} segundos.`,
  },
  updates: 'Buscar actualizaciones',
  betas: 'Incluir versiones beta',
  mayUpdate: '¿Puede Enlarger buscar actualizaciones?',
  mayUpdateDetail:
    'Pregunta a GitHub una vez al día si hay versiones nuevas y no envía nada sobre usted ni sus fotos. Nada más en Enlarger se conecta por sí solo. Puede cambiarlo en el menú Ayuda.',
  allow: 'Buscar actualizaciones',
  deny: 'Nunca',
  updateReady: (version) => `Enlarger ${version} está listo.`,
  restart: 'Reiniciar ahora',
  later: 'Al salir',
  now: 'Ahora',
  cancel: 'Cancelar',
  crashed: 'La ventana se había detenido y se ha vuelto a abrir.',
  crashedAgain: 'La ventana se ha detenido varias veces en un minuto.',
  queueGoesOn: 'La cola sigue: no se pierde ninguna tarea.',
  unresponsive: 'La ventana no responde.',
  reload: 'Recargar',
  wait: 'Esperar',
};
