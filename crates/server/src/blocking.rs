//! Work that waits or takes long, kept away from the threads that answer requests.

use crate::api::ApiError;

/// Does what waits for the database, the disk or a lock, or draws, on a thread that may wait.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::host)?
}
